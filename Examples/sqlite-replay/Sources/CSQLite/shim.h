#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// The macro is a cast that Swift does not import. SQLite copies the octets before the call returns.
static inline int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *octets, int count) {
  return sqlite3_bind_blob(statement, index, octets, count, SQLITE_TRANSIENT);
}

#endif
