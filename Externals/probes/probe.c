// The program with which test-frames tests frame.c.

#include "frame.c"

static void add(char **end, const char *name, const void *data, size_t size) {
  *end += sprintf(*end, "%s %s\n", name, frame_base64((frame_bytes){data ? data : "", data ? size : 0}));
}

static void add_text(char **end, const char *name, const char *text) { add(end, name, text, text ? strlen(text) : 0); }

static frame_answer decrypt(frame_bytes token, const frame_key *key, const frame_request *request) {
  if (token.size == 5 && !memcmp(token.data, "throw", 5)) abort();
  if (token.size == 6 && !memcmp(token.data, "refuse", 6)) {
    char *reason = frame_allocate(1000);
    strcpy(reason, "first line\nsecond line ");
    for (int i = 0; i < 300; i++) strcat(reason, "é");
    return frame_refused(reason, "signatureMismatch");
  }
  char *text = frame_allocate(100000), *end = text, number[100];
  add_text(&end, "pkcs8", key->pkcs8_pem);
  add_text(&end, "sec1", key->sec1_pem);
  frame_bytes pkcs12 = key->certificate ? frame_pkcs12(key, "secret") : (frame_bytes){0};
  add(&end, "pkcs12", pkcs12.data, pkcs12.size);
  add(&end, "merchantIdHash", key->merchant_id_hash, key->has_merchant_id_hash ? 32 : 0);
  add_text(&end, "merchantId", key->merchant_id);
  add_text(&end, "certificate", key->certificate_pem);
  sprintf(number, "%lld", (long long)request->at);
  add_text(&end, "at", number);
  sprintf(number, "%lld", request->window);
  add_text(&end, "window", request->window < 0 ? "none" : number);
  sprintf(number, "%zu keys, %zu roots, %zu earlier", request->key_count, request->root_count, request->prelude_count);
  add_text(&end, "counts", number);
  return frame_accepted((unsigned char *)text, end - text);
}

int main(void) { return frame_serve("probe", "1", (const char *[]){"EC_v1", "RSA_v1", NULL}, decrypt); }
