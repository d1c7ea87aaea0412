#ifndef ASSAY_ORPHANS_H
#define ASSAY_ORPHANS_H

#include <stddef.h>
#include <sys/types.h>

/* What outlives a program that has been started here: on Linux it is found by /proc, elsewhere nothing is. */

/* The environment of a program, which says whose descendant a process is: the number of the program's group, by which the
   orphans of one program are told from those of another. */
#define ASSAY_MARK "ASSAY_EXTERNAL_GROUP="
enum { ASSAY_MARK_SIZE = sizeof ASSAY_MARK - 1, ASSAY_MARK_ROOM = ASSAY_MARK_SIZE + 24 };

/* Writes the mark of a group; async-signal-safe. */
void assay_write_mark(char mark[ASSAY_MARK_ROOM], pid_t group);

/* Processes that were killed and are to be waited for. */
struct assay_killed {
  pid_t *pids;
  size_t count, room;
};

/* Kills what left the group of `leader` by setsid or setpgid and still descends from it; the group is killed later. */
void assay_end_descendants(pid_t leader, struct assay_killed *killed);

/* Waits for those that became children of this process, and frees the list. */
void assay_reap_killed(struct assay_killed *killed);

/* Kills the orphans of a program that has ended, and waits for them; see orphans.c. */
void assay_end_orphans(pid_t program, int none_runs);

#endif
