#ifndef ASSAY_ORPHANS_H
#define ASSAY_ORPHANS_H

#include <stddef.h>
#include <sys/types.h>

/* Processes that outlive a program that this process started. They are found in /proc, so only on Linux. */

/* An environment variable that identifies the descendants of a program by the number of its process group. */
#define ASSAY_MARK "ASSAY_EXTERNAL_GROUP="
enum { ASSAY_MARK_SIZE = sizeof ASSAY_MARK - 1, ASSAY_MARK_ROOM = ASSAY_MARK_SIZE + 24 };

/* Writes the mark of a group; async-signal-safe. */
void assay_write_mark(char mark[ASSAY_MARK_ROOM], pid_t group);

/* Killed processes that must be waited for. */
struct assay_killed {
  pid_t *pids;
  size_t count, room;
};

/* Kills descendants of `leader` that left its group by setsid or setpgid. The group itself is killed later. */
void assay_end_descendants(pid_t leader, struct assay_killed *killed);

/* Waits for those that became children of this process, and frees the list. */
void assay_reap_killed(struct assay_killed *killed);

/* Kills the orphans of a program that has ended, and waits for them; see orphans.c. */
void assay_end_orphans(pid_t program, int none_runs);

#endif
