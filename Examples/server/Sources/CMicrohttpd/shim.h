#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "tls.h"
#ifdef __linux__
#include <sys/prctl.h>
#endif

// The settings of a daemon. Swift cannot call MHD_start_daemon itself, because it is variadic.
struct cmicrohttpd_settings {
  const struct sockaddr *address;
  size_t connection_memory;
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int timeout_seconds;
  unsigned int threads;
  int speaks_tls;
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  void *context;
};

// Leaves percent escapes in paths and query arguments as they were sent: no path served here has any.
static size_t cmicrohttpd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// Errors are not logged: libmicrohttpd's messages may quote requests.
static inline struct MHD_Daemon *cmicrohttpd_start(const struct cmicrohttpd_settings *settings) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (settings->speaks_tls) flags |= MHD_USE_TLS;
  if (settings->address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  struct MHD_OptionItem options[] = {
    {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
    {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)settings->connections, NULL},
    {MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)settings->connections_per_address, NULL},
    {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)settings->timeout_seconds, NULL},
    {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
    {MHD_OPTION_SOCK_ADDR, 0, (void *)settings->address},
    {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context},
    {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connection, settings->context},
    {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->target, settings->context},
    {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)cmicrohttpd_keep_escapes, NULL},
    {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)(settings->threads > 1 ? settings->threads : 0), NULL},
    {settings->speaks_tls ? MHD_OPTION_HTTPS_PRIORITIES : MHD_OPTION_END, 0, (void *)CMICROHTTPD_PRIORITIES},
    {settings->speaks_tls ? MHD_OPTION_HTTPS_CERT_CALLBACK : MHD_OPTION_END, 0, (void *)cmicrohttpd_no_certificate},
    {MHD_OPTION_END, 0, NULL},
  };
  return MHD_start_daemon(
    flags, 0, NULL, NULL, settings->handle, settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// The port that a daemon listens on; zero if the library does not know it.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

// The socket of a connection; -1 when there is none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The number of bytes of a request's head: from the method through the empty line.
static inline size_t cmicrohttpd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// The pointer that the connection callback has stored for a connection; NULL if there is none.
static inline void *cmicrohttpd_kept(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// Whether the other side has closed or reset a socket. Without POLLRDHUP a close alone may go unnoticed.
static inline int cmicrohttpd_has_gone(int socket) {
#ifdef POLLRDHUP
  const short wanted = POLLRDHUP;
#elif defined(__linux__)
  const short wanted = 0x2000;
#else
  const short wanted = 0;
#endif
  struct pollfd query = {socket, wanted, 0};
  return poll(&query, 1, 0) == 1 && (query.revents & (wanted | POLLHUP | POLLERR)) != 0;
}

// Takes a blocked signal of `set`, which it waits for, at most so many milliseconds. Zero if there is none.
static inline int cmicrohttpd_next_signal(const sigset_t *set, int64_t milliseconds) {
#ifdef __linux__
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  int number = sigtimedwait(set, NULL, &time);
  return number > 0 ? number : 0;
#else
  // Darwin has no sigtimedwait.
  const struct timespec pause = {0, 10000000};
  for (; milliseconds >= 0; milliseconds -= 10) {
    sigset_t pending;
    int number = 0;
    if (sigpending(&pending) != 0) return 0;
    for (int i = 1; i < NSIG; i++)
      if (sigismember(&pending, i) == 1 && sigismember(set, i) == 1) return sigwait(set, &number) == 0 ? number : 0;
    nanosleep(&pause, NULL);
  }
  return 0;
#endif
}

// Overwrites memory that held a secret, in a way that no optimiser removes.
static inline void cmicrohttpd_wipe(void *bytes, size_t count) {
  memset(bytes, 0, count);
  __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

// Forbids core dumps, which would hold keys and card data. Returns zero, or -1 if that fails.
static inline int cmicrohttpd_forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
#ifdef __linux__
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
#endif
  return 0;
}

#endif
