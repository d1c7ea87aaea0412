#ifndef ASSAY_CWORKERS_H
#define ASSAY_CWORKERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Forked copies of this process, for work that may crash. Swift cannot call fork. */

/* A running copy and this process's ends of its streams, which are non-blocking. */
struct assay_worker {
  pid_t pid;
  int output; /* its messages; in the copy itself the end to write to */
  int error;  /* its standard output and standard error; -1 in the copy itself */
};

/* Zeroed memory that this process shares with its copies; NULL when no memory is available. */
void *assay_shared_memory(size_t bytes);

/* Forks. This process must have one thread. Returns 1 in this process, 0 in the copy, or minus an error number. The
   copy is killed with this process, writes no core dump, and has this limit of address space in bytes (0: no limit). It
   ignores SIGTERM from its first instruction. One that crashes writes a line to its standard error first, where the C
   library can tell: assay-crash and the offset of the code in the program, in hexadecimal. */
int assay_worker_fork(struct assay_worker *worker, uint64_t address_space_bytes);

/* Whether the copy has ended, with its signal, or 0, and its exit code. A copy that has ended is reaped. */
int assay_worker_has_ended(pid_t pid, int *signal, int *code);

/* Kills the copy and waits for it. */
void assay_worker_kill(pid_t pid);

/* The processor time that a process has used, in nanoseconds; -1 where the system does not tell. */
int64_t assay_worker_processor_time(pid_t pid);

/* Installs handlers: SIGINT, SIGHUP and SIGTERM no longer end this process but are reported by assay_interrupted. */
void assay_note_interrupts(void);

/* The number of the last such signal, or 0. */
int assay_interrupted(void);

/* Locks an open file, one in a process, until it is closed or the process ends; workers do not share the lock. Returns
   0 or an error number: EWOULDBLOCK if another process holds the lock. */
int assay_lock_file(int descriptor);

#endif
