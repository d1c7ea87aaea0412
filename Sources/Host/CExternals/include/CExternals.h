#ifndef ASSAY_CEXTERNALS_H
#define ASSAY_CEXTERNALS_H

#include <stdint.h>
#include <sys/types.h>

#include "CWorkers.h"

/* Programs of others, each in a process group of its own and with limits: what Swift cannot do between fork and exec. */

/* The most that a program and each of its children may use; 0 is no limit. Core dumps are always off. */
struct assay_external_limits {
  uint64_t address_space_bytes;
  uint64_t cpu_seconds;
};

/* A running program and our ends of its three streams; none of them blocks. */
struct assay_external {
  pid_t pid;
  int input;  /* to its standard input */
  int output; /* from its standard output */
  int error;  /* from its standard error */
};

/* How a program ended. */
struct assay_external_status {
  int signal; /* the signal that ended it, or 0 */
  int code;   /* its exit code when no signal did */
};

/* Runs `command` by /bin/sh. Returns 0, or an error number: EAGAIN also when too many run already. */
int assay_external_start(const char *command, const struct assay_external_limits *limits,
                         struct assay_external *external);

/* Whether the program has ended; its group may still have processes. */
int assay_external_has_ended(pid_t pid);

/* Waits for processes of the program's group that have ended and whose parents had ended before; never for the program. On Linux
   they are children of whoever started it (see assay_external_stop) and stay zombies until they are waited for. */
void assay_external_reap_orphans(pid_t pid);

/* Kills the whole group and waits for all of it; the program may have ended before. Its streams stay open.

   On Linux also what has left the group, by setsid for example: descendants of the program, and orphans, whose parents have
   ended, by ASSAY_EXTERNAL_GROUP in their environment; without it, once no other program runs, those in another session. Therefore
   whoever starts a program becomes the parent of its orphans (PR_SET_CHILD_SUBREAPER), and what this process starts itself is not
   to have a session of its own. An orphan that left the group, but not the session, and ended before the program did, stays a
   zombie of this process: nothing tells it from a child that this process started elsewhere. */
struct assay_external_status assay_external_stop(pid_t pid);

/* From now on a second interrupt, a hang-up and a termination kill all running groups before they end this process; the
   interrupt ends it with 130. What is ignored stays ignored. What has left its group survives this: a signal handler cannot
   look for it. */
void assay_external_end_on_signals(void);

/* Whether there was a first interrupt: what runs is to come to its end, and to tell what it has. */
int assay_external_was_interrupted(void);

#endif
