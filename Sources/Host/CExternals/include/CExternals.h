#ifndef ASSAY_CEXTERNALS_H
#define ASSAY_CEXTERNALS_H

#include <stdint.h>
#include <sys/types.h>

#include "CWorkers.h"

/* External programs, each in its own process group and with limits. In C, because Swift code cannot run between fork
   and exec. */

/* The limits of a program and of each of its children; 0 is no limit. Core dumps are always off. */
struct assay_external_limits {
  uint64_t address_space_bytes;
  uint64_t cpu_seconds;
};

/* A running program and this process's ends of its three streams, which are non-blocking. */
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

/* Runs `command` with /bin/sh. Returns 0 or an error number, which is EAGAIN if too many programs run. */
int assay_external_start(const char *command, const struct assay_external_limits *limits,
                         struct assay_external *external);

/* Whether the program has ended; its group may still have processes. */
int assay_external_has_ended(pid_t pid);

/* Reaps orphaned processes of the program's group that have ended, but never the program itself. On Linux they are
   children of this process (see assay_external_stop) and stay zombies until they are reaped. */
void assay_external_reap_orphans(pid_t pid);

/* The resident memory of the program's process group, in bytes; -1 where the system does not tell. */
int64_t assay_external_resident_bytes(pid_t pid);

/* The processor time that the program's process group has used, in milliseconds; -1 where the system does not tell. */
int64_t assay_external_processor_milliseconds(pid_t pid);

/* Kills the whole group and waits for it. The program may have ended before. Its streams stay open.

   On Linux, processes that left the group, for example by setsid, are killed too: descendants of the program, and
   orphans with ASSAY_EXTERNAL_GROUP in their environment. Orphans without it are killed once no other program runs, if
   they are in another session. Therefore this process becomes the parent of orphans (PR_SET_CHILD_SUBREAPER), and must
   not start children in sessions of their own. An orphan that left the group but not the session and ended before the
   program stays a zombie: it cannot be distinguished from other children of this process. */
struct assay_external_status assay_external_stop(pid_t pid);

/* Installs handlers: any SIGHUP or SIGTERM, and the second SIGINT, kill all running groups before they end this
   process, SIGINT with exit code 130. Ignored signals stay ignored. Processes that left their group survive, because a
   signal handler cannot search for them. */
void assay_external_end_on_signals(void);

/* Whether there was a first SIGINT: the run should end and report its results. */
int assay_external_was_interrupted(void);

#endif
