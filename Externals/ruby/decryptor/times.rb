# frozen_string_literal: true

module Decryptor
  # Times as whole seconds since 1970, in the Gregorian calendar from the year 0000 on.
  module Times
    DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].freeze
    DAYS_BEFORE_1970 = 719_528 # from 0000-01-01

    module_function

    # UTCTime YYMMDDhhmmssZ (5.12), or nil.
    def utc_time(text)
      return nil unless text.match?(/\A[0-9]{12}Z\z/n)

      century = text[0, 2].to_i < 50 ? "20" : "19"
      generalized_time(century + text)
    end

    # GeneralizedTime YYYYMMDDhhmmssZ (5.12), or nil.
    def generalized_time(text)
      found = /\A([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z\z/n.match(text)
      seconds(*found.captures.map(&:to_i)) if found
    end

    # RFC 3339 in whole seconds with Z, or nil.
    def rfc3339(text)
      return nil unless text.match?(/\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\z/)

      generalized_time(text.delete("-:T"))
    end

    def date?(year, month, day)
      month.between?(1, 12) && day.between?(1, days_in_month(year, month))
    end

    def seconds(year, month, day, hour, minute, second)
      return nil unless date?(year, month, day) && hour <= 23 && minute <= 59 && second <= 59

      (((days(year, month, day) * 24 + hour) * 60) + minute) * 60 + second
    end

    def leap?(year)
      (year % 4).zero? && (year % 100 != 0 || (year % 400).zero?)
    end

    def days_in_month(year, month)
      month == 2 && leap?(year) ? 29 : DAYS_IN_MONTH[month - 1]
    end

    # Days since 1970-01-01.
    def days(year, month, day)
      leap_days = year.zero? ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
      months = (1...month).sum { |earlier| days_in_month(year, earlier) }
      year * 365 + leap_days + months + day - 1 - DAYS_BEFORE_1970
    end
  end
end
