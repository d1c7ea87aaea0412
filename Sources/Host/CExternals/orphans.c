#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "orphans.h"

#include "CExternals.h"

#include <string.h>

void assay_write_mark(char mark[ASSAY_MARK_ROOM], pid_t group) {
  char digits[24];
  int count = 0;
  for (unsigned long rest = (unsigned long)group; rest > 0 && count < 20; rest /= 10) {
    digits[count++] = (char)('0' + rest % 10);
  }
  memcpy(mark, ASSAY_MARK, ASSAY_MARK_SIZE);
  for (int i = 0; i < count; i++) mark[ASSAY_MARK_SIZE + i] = digits[count - 1 - i];
  mark[ASSAY_MARK_SIZE + count] = 0;
}

#if defined(__linux__)

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process in /proc. */
struct process {
  pid_t pid, parent, group, session;
  int is_zombie;
  int is_descendant;
  long resident_pages;
  long long ticks; /* of processor time, with that of children that have ended */
};

static int read_process(const char *name, struct process *process) {
  char path[64], text[512];
  if (snprintf(path, sizeof path, "/proc/%s/stat", name) >= (int)sizeof path) return 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[count] = 0;
  /* The program's name in parentheses may contain parentheses and spaces: the last one ends it. */
  const char *end = strrchr(text, ')');
  int parent, group, session;
  long resident_pages;
  long long times[4];
  char state;
  /* Fields 3 to 6, 14 to 17 and 24 of proc(5). */
  const char *format =
      " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld %*d %*d %*d %*d %*u %*u %ld";
  if (end == NULL || sscanf(end + 1, format, &state, &parent, &group, &session, &times[0], &times[1], &times[2],
                            &times[3], &resident_pages) != 9)
    return 0;
  *process = (struct process){(pid_t)atoi(name), (pid_t)parent,  (pid_t)group,
                              (pid_t)session,    state == 'Z',   0,
                              resident_pages,    times[0] + times[1] + times[2] + times[3]};
  return process->pid > 0;
}

/* All visible processes; the caller frees them. */
static struct process *read_processes(size_t *count) {
  struct process *processes = NULL;
  size_t room = 0;
  *count = 0;
  DIR *folder = opendir("/proc");
  if (folder == NULL) return NULL;
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    if (*count == room) {
      room = room == 0 ? 256 : 2 * room;
      struct process *more = realloc(processes, room * sizeof *processes);
      if (more == NULL) break;
      processes = more;
    }
    if (read_process(entry->d_name, &processes[*count])) ++*count;
  }
  (void)closedir(folder);
  return processes;
}

int64_t assay_external_resident_bytes(pid_t pid) {
  size_t count;
  struct process *processes = read_processes(&count);
  long pages = 0;
  for (size_t i = 0; i < count; i++)
    if (processes[i].group == pid) pages += processes[i].resident_pages;
  free(processes);
  return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

int64_t assay_external_processor_milliseconds(pid_t pid) {
  size_t count;
  struct process *processes = read_processes(&count);
  long long ticks = 0;
  for (size_t i = 0; i < count; i++)
    if (processes[i].group == pid) ticks += processes[i].ticks;
  free(processes);
  return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

/* Without memory the process is not recorded and stays a zombie until this process ends. */
static void remember(struct assay_killed *killed, pid_t pid) {
  if (killed->count == killed->room) {
    size_t room = killed->room == 0 ? 16 : 2 * killed->room;
    pid_t *more = realloc(killed->pids, room * sizeof *more);
    if (more == NULL) return;
    killed->pids = more;
    killed->room = room;
  }
  killed->pids[killed->count++] = pid;
}

/* In passes: a process becomes a child of this one when its parent has ended. */
void assay_reap_killed(struct assay_killed *killed) {
  for (int reaped = 1; reaped;) {
    reaped = 0;
    for (size_t i = 0; i < killed->count; i++) {
      pid_t found;
      do found = waitpid(killed->pids[i], NULL, 0);
      while (found < 0 && errno == EINTR);
      if (found > 0) reaped = 1;
    }
  }
  free(killed->pids);
}

/* One pass. Returns how many were killed. */
static int end_descendants(pid_t leader, struct assay_killed *killed) {
  size_t count;
  struct process *processes = read_processes(&count);
  int found = 0;
  for (int grew = 1; grew;) {
    grew = 0;
    for (size_t i = 0; i < count; i++) {
      if (processes[i].is_descendant) continue;
      int descends = processes[i].parent == leader;
      for (size_t j = 0; j < count && !descends; j++)
        descends = processes[j].is_descendant && processes[j].pid == processes[i].parent;
      if (!descends) continue;
      processes[i].is_descendant = grew = 1;
      if (processes[i].group == leader || processes[i].is_zombie || kill(processes[i].pid, SIGKILL) != 0) continue;
      remember(killed, processes[i].pid);
      found++;
    }
  }
  free(processes);
  return found;
}

/* Whether the process started with the mark of this group in its environment. */
static int has_mark(pid_t pid, pid_t group) {
  char path[64], mark[ASSAY_MARK_ROOM];
  assay_write_mark(mark, group);
  (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  char *entry = NULL;
  size_t room = 0;
  int found = 0;
  while (!found && getdelim(&entry, &room, 0, file) > 0) found = strcmp(entry, mark) == 0;
  free(entry);
  (void)fclose(file);
  return found;
}

/* Kills the orphans of a program that has ended: children of this process that started with the program's mark. A child
   without a readable mark is an orphan if it is in another session, because this process starts nothing in another
   session; such a child is killed once no program runs. */
static int end_orphans(pid_t program, int none_runs) {
  size_t count;
  struct process *processes = read_processes(&count);
  pid_t us = getpid(), ours = getsid(0);
  int found = 0;
  for (size_t i = 0; i < count; i++) {
    pid_t pid = processes[i].pid;
    if (processes[i].parent != us) continue;
    if (!has_mark(pid, program) && (processes[i].session == ours || !none_runs)) continue;
    if (kill(pid, SIGKILL) != 0) continue;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    found++;
  }
  free(processes);
  return found;
}

/* Passes are repeated until one finds nothing, because killed processes may have had children; at most this often. */
enum { MOST_PASSES = 20 };

void assay_end_descendants(pid_t leader, struct assay_killed *killed) {
  for (int i = 0; i < MOST_PASSES && end_descendants(leader, killed) > 0; i++) {}
}

void assay_end_orphans(pid_t program, int none_runs) {
  for (int i = 0; i < MOST_PASSES && end_orphans(program, none_runs) > 0; i++) {}
}

#else

int64_t assay_external_resident_bytes(pid_t pid) {
  (void)pid;
  return -1;
}

int64_t assay_external_processor_milliseconds(pid_t pid) {
  (void)pid;
  return -1;
}

void assay_end_descendants(pid_t leader, struct assay_killed *killed) {
  (void)leader;
  (void)killed;
}

void assay_reap_killed(struct assay_killed *killed) { (void)killed; }

void assay_end_orphans(pid_t program, int none_runs) {
  (void)program;
  (void)none_runs;
}

#endif
