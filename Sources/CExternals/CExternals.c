#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CExternals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <dirent.h>
#include <stdio.h>
#include <sys/prctl.h>
#endif

extern char **environ;

/* Process groups that run; a signal handler reads it. */
enum { MOST_GROUPS = 64 };
static _Atomic pid_t groups[MOST_GROUPS];

static int enter_group(pid_t group) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&groups[i], &none, group)) return 1;
  }
  return 0;
}

static void leave_group(pid_t group) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t expected = group;
    if (atomic_compare_exchange_strong(&groups[i], &expected, 0)) return;
  }
}

static void limit(int resource, uint64_t most) {
  struct rlimit before, after;
  if (getrlimit(resource, &before) != 0) return;
  after.rlim_max = most < before.rlim_max ? (rlim_t)most : before.rlim_max;
  after.rlim_cur = after.rlim_max;
  (void)setrlimit(resource, &after);
}

/* The environment of a program, which says whose descendant a process is: the number of the program's group, by which the
   orphans of one program are told from those of another. */
#define MARK "ASSAY_EXTERNAL_GROUP="
enum { MARK_SIZE = sizeof MARK - 1, MARK_ROOM = MARK_SIZE + 24 };

/* This process's environment with room for the mark in front, and without the one it may have itself; the caller frees it. */
static char **make_environment(char *mark) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **environment = calloc(count + 2, sizeof *environment);
  if (environment == NULL) return NULL;
  char **next = environment;
  *next++ = mark;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], MARK, MARK_SIZE) != 0) *next++ = environ[i];
  return environment;
}

/* Writes the mark of a group; async-signal-safe. */
static void write_mark(char mark[MARK_ROOM], pid_t group) {
  char digits[24];
  int count = 0;
  for (unsigned long rest = (unsigned long)group; rest > 0 && count < 20; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  memcpy(mark, MARK, MARK_SIZE);
  for (int i = 0; i < count; i++) mark[MARK_SIZE + i] = digits[count - 1 - i];
  mark[MARK_SIZE + count] = 0;
}

/* In the child: only async-signal-safe calls. */
static void become(const char *command, const struct assay_external_limits *limits, const int ends[3], pid_t parent,
                   char mark[MARK_ROOM], char **environment) {
  (void)setpgid(0, 0);
#if defined(__linux__)
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
#else
  (void)parent;
#endif
  /* Our ends are 3 or above: none is overwritten before it is used. */
  for (int i = 0; i < 3; i++)
    if (dup2(ends[i], i) < 0) _exit(126);
  limit(RLIMIT_CORE, 0);
  if (limits->address_space_octets > 0) limit(RLIMIT_AS, limits->address_space_octets);
  if (limits->cpu_seconds > 0) limit(RLIMIT_CPU, limits->cpu_seconds);
  /* What this process ignores, the program would ignore as well. */
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; number++) (void)sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  write_mark(mark, getpid());
  execve("/bin/sh", arguments, environment);
  _exit(126);
}

/* A pipe whose ends are 3 or above and closed by exec. */
static int make_pipe(int ends[2]) {
  int raw[2];
  ends[0] = ends[1] = -1;
  if (pipe(raw) != 0) return errno;
  int failure = 0;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 3);
    if (ends[i] < 0) failure = errno;
    close(raw[i]);
  }
  return failure;
}

static int set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? errno : 0;
}

static void close_all(int pipes[3][2]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      if (pipes[i][j] >= 0) close(pipes[i][j]);
}

/* Forks with all signals held back, so that none finds a child that is in no group yet. */
static int start_child(const char *command, const struct assay_external_limits *limits, const int ends[3], pid_t *pid) {
  char mark[MARK_ROOM] = "";
  char **environment = make_environment(mark);
  if (environment == NULL) return ENOMEM;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  int failure = 0;
#if defined(__linux__)
  /* What loses its parent becomes a child of ours, and can be found and ended; see end_escaped. */
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  *pid = fork();
  if (*pid == 0) become(command, limits, ends, parent, mark, environment);
  if (*pid < 0) {
    failure = errno;
  } else {
    (void)setpgid(*pid, *pid);
    if (!enter_group(*pid)) {
      (void)kill(-*pid, SIGKILL);
      while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) {}
      failure = EAGAIN;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(environment);
  return failure;
}

int assay_external_start(const char *command, const struct assay_external_limits *limits,
                         struct assay_external *external) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  int failure = 0;
  for (int i = 0; i < 3 && failure == 0; i++) failure = make_pipe(pipes[i]);
  const int ours[3] = {pipes[0][1], pipes[1][0], pipes[2][0]};
  const int theirs[3] = {pipes[0][0], pipes[1][1], pipes[2][1]};
  for (int i = 0; i < 3 && failure == 0; i++) failure = set_nonblocking(ours[i]);
  if (failure == 0) failure = start_child(command, limits, theirs, &external->pid);
  if (failure != 0) {
    close_all(pipes);
    return failure;
  }
  for (int i = 0; i < 3; i++) close(theirs[i]);
  external->input = ours[0];
  external->output = ours[1];
  external->error = ours[2];
  return 0;
}

int assay_external_has_ended(pid_t pid) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void assay_external_reap_orphans(pid_t pid) {
  siginfo_t info;
  for (;;) {
    memset(&info, 0, sizeof info);
    if (waitid(P_PGID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0 || info.si_pid == pid) return;
    if (waitpid(info.si_pid, NULL, WNOHANG) <= 0) return;
  }
}

#if defined(__linux__)

/* A process of /proc. */
struct process {
  pid_t pid, parent, group, session;
  int is_zombie;
  int is_descendant;
};

static int read_process(const char *name, struct process *process) {
  char path[64], text[512];
  if (snprintf(path, sizeof path, "/proc/%s/stat", name) >= (int)sizeof path) return 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[count] = 0;
  /* The name of the program, in brackets, may hold brackets and spaces: the last one ends it. */
  const char *end = strrchr(text, ')');
  int parent, group, session;
  char state;
  if (end == NULL || sscanf(end + 1, " %c %d %d %d", &state, &parent, &group, &session) != 4) return 0;
  *process = (struct process){(pid_t)atoi(name), (pid_t)parent, (pid_t)group, (pid_t)session, state == 'Z', 0};
  return process->pid > 0;
}

/* All processes that can be seen; the caller frees them. */
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

static int none_runs(void) {
  for (int i = 0; i < MOST_GROUPS; i++)
    if (atomic_load(&groups[i]) > 0) return 0;
  return 1;
}

/* Processes that were killed and are to be waited for. */
struct killed {
  pid_t *pids;
  size_t count, room;
};

/* One that finds no room stays a zombie until this process ends. */
static void remember(struct killed *killed, pid_t pid) {
  if (killed->count == killed->room) {
    size_t room = killed->room == 0 ? 16 : 2 * killed->room;
    pid_t *more = realloc(killed->pids, room * sizeof *more);
    if (more == NULL) return;
    killed->pids = more;
    killed->room = room;
  }
  killed->pids[killed->count++] = pid;
}

/* Waits for those that became children of ours, in passes: one becomes it when its parent has ended. */
static void reap_killed(struct killed *killed) {
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

/* Kills what left the group of `leader` by setsid or setpgid and still descends from it; the group is killed later. Returns
   how many were found. */
static int end_descendants(pid_t leader, struct killed *killed) {
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

/* Whether the process began with the mark of this group in its environment. */
static int has_mark(pid_t pid, pid_t group) {
  char path[64], mark[MARK_ROOM];
  write_mark(mark, group);
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

/* Kills the orphans of a program that has ended: children of ours that began with its mark. What is in another session is an
   orphan too, for what this process starts, here or elsewhere, is in its own: where the environment of one cannot be read, or
   was cleared, it waits until no program runs any more. */
static int end_orphans(pid_t program) {
  size_t count;
  struct process *processes = read_processes(&count);
  pid_t us = getpid(), ours = getsid(0);
  int found = 0;
  for (size_t i = 0; i < count; i++) {
    pid_t pid = processes[i].pid;
    if (processes[i].parent != us) continue;
    if (!has_mark(pid, program) && (processes[i].session == ours || !none_runs())) continue;
    if (kill(pid, SIGKILL) != 0) continue;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    found++;
  }
  free(processes);
  return found;
}

/* Passes over all processes until one finds nothing: what is killed may have had children. */
enum { MOST_PASSES = 20 };

#endif

/* Waits for the program, and for those of its group that have become children of ours: all of them were killed. */
static struct assay_external_status reap_group(pid_t leader) {
  struct assay_external_status status = {0, 0};
  for (;;) {
    int raw = 0;
    pid_t found = waitpid(-leader, &raw, 0);
    if (found < 0 && errno != EINTR) return status;
    if (found != leader) continue;
    if (WIFSIGNALED(raw)) status.signal = WTERMSIG(raw);
    if (WIFEXITED(raw)) status.code = WEXITSTATUS(raw);
  }
}

struct assay_external_status assay_external_stop(pid_t pid) {
#if defined(__linux__)
  struct killed killed = {NULL, 0, 0};
  /* While it is their ancestor. */
  for (int i = 0; i < MOST_PASSES && end_descendants(pid, &killed) > 0; i++) {}
#endif
  /* Before it is waited for: until then nobody else can have its number. */
  (void)kill(-pid, SIGKILL);
  leave_group(pid);
  struct assay_external_status status = reap_group(pid);
#if defined(__linux__)
  reap_killed(&killed);
  for (int i = 0; i < MOST_PASSES && end_orphans(pid) > 0; i++) {}
#endif
  return status;
}

static volatile sig_atomic_t interrupted;

int assay_external_was_interrupted(void) { return interrupted != 0; }

static void end_all(int number) {
  /* The first interrupt lets the run come to its end; who asks again does not want to wait. */
  if (number == SIGINT && !interrupted) {
    interrupted = 1;
    return;
  }
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t group = atomic_load(&groups[i]);
    if (group > 0) (void)kill(-group, SIGKILL);
  }
  if (number == SIGINT) _exit(130);
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

void assay_external_end_on_signals(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    struct sigaction before, action;
    if (sigaction(numbers[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_all;
    sigfillset(&action.sa_mask);
    (void)sigaction(numbers[i], &action, NULL);
  }
}
