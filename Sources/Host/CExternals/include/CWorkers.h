#ifndef ASSAY_CWORKERS_H
#define ASSAY_CWORKERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies of this process that do work which may end them: fork without exec, which Swift cannot call itself. */

/* A running copy and our ends of its streams; reading from them does not block. */
struct assay_worker {
  pid_t pid;
  int output; /* what it tells us; in the copy itself: where it tells it */
  int error;  /* its standard output and standard error; -1 in the copy itself */
};

/* Memory that this process and its copies share, zeroed; NULL when there is none to be had. */
void *assay_shared_memory(size_t bytes);

/* Forks. This process must have one thread. Returns 1 in this process, 0 in the copy, or minus an error number. The copy dies
   with this process, leaves no core, and may use so many bytes of address space (0: no limit). */
int assay_worker_fork(struct assay_worker *worker, uint64_t address_space_bytes);

/* Whether the copy has ended, and how: the signal that ended it, or 0, and its exit code. It is gone then. */
int assay_worker_has_ended(pid_t pid, int *signal, int *code);

/* Kills the copy and waits for it. */
void assay_worker_kill(pid_t pid);

/* From now on an interrupt, a hang-up and a termination end nothing, and are told by assay_interrupted. */
void assay_note_interrupts(void);

/* Whether there was one: its signal's number, or 0. */
int assay_interrupted(void);

/* Holds a lock on an open file as long as it is open. Returns 0, or an error number: EWOULDBLOCK when another holds it. */
int assay_lock_file(int descriptor);

#endif
