#include "json_escapes.h"

assay_json_escape assay_json_read_escape(const uint8_t *text, size_t count) {
  return assay_json_escape_at(text, count);
}
