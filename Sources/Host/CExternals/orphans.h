#ifndef ASSAY_ORPHANS_H
#define ASSAY_ORPHANS_H

#include <sys/types.h>

/* Processes that outlive a program that this process started. They are found in /proc, so only on Linux. */

/* An environment variable that identifies the descendants of a program by the number of its process group. */
#define ASSAY_MARK "ASSAY_EXTERNAL_GROUP="
enum { ASSAY_MARK_SIZE = sizeof ASSAY_MARK - 1, ASSAY_MARK_ROOM = ASSAY_MARK_SIZE + 24 };

/* Writes the mark of a group; async-signal-safe. */
void assay_write_mark(char mark[ASSAY_MARK_ROOM], pid_t group);

/* Kills the orphans of a program that has ended, and waits for them: children of this process that started with the
   program's mark. A child without a readable mark is an orphan if it is in another session, because this process starts
   nothing in another session; such a child is killed once no program runs. */
void assay_end_orphans(pid_t program, int none_runs);

#endif
