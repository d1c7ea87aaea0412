// Times, as seconds since 1970-01-01T00:00:00Z in a number; negative before.

import { GENERALIZED_TIME, UTC_TIME, check } from './der.mjs';

const FORMS = {
  [UTC_TIME]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
  [GENERALIZED_TIME]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
};
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A UTCTime or a GeneralizedTime by rule 5.12. Throws Malformed. */
export function readTime(element) {
  const match = FORMS[element.tag]?.exec(element.contents.toString('latin1'));
  check(match, 'no time');
  const [year, ...rest] = match.slice(1).map(Number);
  const seconds = secondsOf(element.tag === UTC_TIME ? year + (year < 50 ? 2000 : 1900) : year, ...rest);
  check(seconds !== null, 'no real date');
  return seconds;
}

/** RFC 3339 in whole seconds with Z, or null. */
export function readRFC3339(text) {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(text);
  return match && secondsOf(...match.slice(1).map(Number));
}

/** Whether the day exists in the Gregorian calendar, which goes back to the leap year 0000. */
export function isRealDate(year, month, day) {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS_OF_MONTH[month - 1];
  return day >= 1 && day <= days;
}

/** Null if there is no such date or time. */
function secondsOf(year, month, day, hour, minute, second) {
  if (!isRealDate(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}
