#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CExternals.h"
#include "limits.h"
#include "orphans.h"

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
#include <sys/prctl.h>
#endif

extern char **environ;

/* The running process groups; read by a signal handler. */
enum { MOST_GROUPS = 64 };
static _Atomic pid_t groups[MOST_GROUPS];

static int add_group(pid_t group) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t none = 0;
    if (atomic_compare_exchange_strong(&groups[i], &none, group)) return 1;
  }
  return 0;
}

static void remove_group(pid_t group) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    pid_t expected = group;
    if (atomic_compare_exchange_strong(&groups[i], &expected, 0)) return;
  }
}

/* This process's environment with the mark in front, and without a mark that it may have itself; the caller frees it.
   */
static char **make_environment(char *mark) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **environment = calloc(count + 2, sizeof *environment);
  if (environment == NULL) return NULL;
  char **next = environment;
  *next++ = mark;
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], ASSAY_MARK, ASSAY_MARK_SIZE) != 0) *next++ = environ[i];
  return environment;
}

/* In the child: only async-signal-safe calls. */
static void exec_program(const char *command, const struct assay_external_limits *limits, const int ends[3],
                         pid_t parent, char mark[ASSAY_MARK_ROOM], char **environment) {
  (void)setpgid(0, 0);
#if defined(__linux__)
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
#else
  (void)parent;
#endif
  /* The pipe ends are 3 or above, so none is overwritten before it is used. */
  for (int i = 0; i < 3; i++)
    if (dup2(ends[i], i) < 0) _exit(126);
  assay_limit(RLIMIT_CORE, 0);
  assay_limit_address_space(limits->address_space_bytes);
  if (limits->cpu_seconds > 0) assay_limit(RLIMIT_CPU, limits->cpu_seconds);
  /* Ignored signals would stay ignored in the program: restore the defaults. */
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; number++) (void)sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  assay_write_mark(mark, getpid());
  execve("/bin/sh", arguments, environment);
  _exit(126);
}

/* A pipe whose ends are 3 or above and closed by exec. */
static int make_pipe(int ends[2]) {
  int raw[2];
  ends[0] = ends[1] = -1;
#if defined(__linux__)
  /* A program that another thread starts in between must not inherit an end. */
  if (pipe2(raw, O_CLOEXEC) != 0) return errno;
#else
  if (pipe(raw) != 0) return errno;
#endif
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

/* Guards whether this process adopts orphans. */
static pthread_mutex_t adoption = PTHREAD_MUTEX_INITIALIZER;

/* Orphans become children of this process, so that they can be found and killed; see orphans.c. */
static void adopt_orphans(int do_so) {
#if defined(__linux__)
  (void)prctl(PR_SET_CHILD_SUBREAPER, do_so, 0, 0, 0);
#else
  (void)do_so;
#endif
}

/* Forks with all signals blocked, so that no handler runs before the child is in its group. */
static int start_child(const char *command, const struct assay_external_limits *limits, const int ends[3], pid_t *pid) {
  char mark[ASSAY_MARK_ROOM] = "";
  char **environment = make_environment(mark);
  if (environment == NULL) return ENOMEM;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  int failure = 0;
  pthread_mutex_lock(&adoption);
  adopt_orphans(1);
  *pid = fork();
  if (*pid == 0) exec_program(command, limits, ends, parent, mark, environment);
  if (*pid < 0) {
    failure = errno;
  } else {
    (void)setpgid(*pid, *pid);
    if (!add_group(*pid)) {
      (void)kill(-*pid, SIGKILL);
      while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) {}
      failure = EAGAIN;
    }
  }
  pthread_mutex_unlock(&adoption);
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
    if (waitid(P_PGID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    if (info.si_pid == 0 || info.si_pid == pid) return;
    if (waitpid(info.si_pid, NULL, WNOHANG) <= 0) return;
  }
}

static int none_runs(void) {
  for (int i = 0; i < MOST_GROUPS; i++)
    if (atomic_load(&groups[i]) > 0) return 0;
  return 1;
}

/* Waits for the program and for processes of its group that became children of this process. All of them were killed.
   */
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
  struct assay_killed killed = {NULL, 0, 0};
  /* End the descendants before the program ends, while it is still their ancestor. */
  assay_end_descendants(pid, &killed);
  /* Kill the group before waiting for the program: until then its process ID cannot be reused. */
  (void)kill(-pid, SIGKILL);
  remove_group(pid);
  struct assay_external_status status = reap_group(pid);
  assay_reap_killed(&killed);
  assay_end_orphans(pid, none_runs());
  pthread_mutex_lock(&adoption);
  /* Do not adopt orphans of other processes: they would stay zombies until this process ends. */
  if (none_runs()) adopt_orphans(0);
  pthread_mutex_unlock(&adoption);
  return status;
}

static volatile sig_atomic_t interrupted;

int assay_external_was_interrupted(void) { return interrupted != 0; }

static void end_all(int number) {
  /* The first interrupt ends the run in an orderly way; the second ends the process. */
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
