// Decrypts EC_v1 tokens without verifying them: an example of frame.c, and a test of it. Never use it for payments.
// Build: cc -std=c11 -O2 -o example example.c -lcrypto

#include "frame.c"

// The shared secret: the x-coordinate, 32 bytes. False if the public key is not on P-256.
static bool derive(unsigned char secret[32], EVP_PKEY *private_key, frame_bytes information) {
  const unsigned char *der = information.data;
  EVP_PKEY *public_key = d2i_PUBKEY(NULL, &der, (long)information.size);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(private_key, NULL);
  size_t size = 32;
  bool derived = public_key && EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, public_key) > 0 &&
                 EVP_PKEY_derive(context, secret, &size) > 0 && size == 32;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(public_key);
  return derived;
}

// AES-256-GCM with an IV of 16 zero bytes; the tag comes last.
static bool open_data(unsigned char *plaintext, const unsigned char key[32], frame_bytes data) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int size = (int)data.size - 16, written;
  bool opened = EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, NULL, NULL) > 0 &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IVLEN, 16, NULL) > 0 &&
                EVP_DecryptInit_ex(context, NULL, NULL, key, (unsigned char[16]){0}) > 0 &&
                EVP_DecryptUpdate(context, plaintext, &written, data.data, size) > 0 &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16, (void *)(data.data + size)) > 0 &&
                EVP_DecryptFinal_ex(context, plaintext + size, &written) > 0;
  EVP_CIPHER_CTX_free(context);
  return opened;
}

static frame_answer decrypt(frame_bytes token, const frame_key *key, const frame_request *request) {
  (void)request;
  if (strcmp(key->version, "EC_v1")) return frame_refused("there is no key for this token", NULL);
  const frame_json *members = frame_read_json(token);
  frame_bytes data = frame_decoded(frame_member(members, "data"));
  frame_bytes ephemeral = frame_decoded(frame_member(frame_member(members, "header"), "ephemeralPublicKey"));
  if (data.size < 16) return frame_refused("the token has no data", NULL);
  // SHA-256 of counter, secret, algorithm, party and merchant.
  unsigned char derived[4 + 32 + 19 + 32] = {0, 0, 0, 1}, symmetric[32];
  if (!derive(derived + 4, key->private_key, ephemeral)) return frame_refused("no ephemeral key on P-256", NULL);
  memcpy(derived + 36, "\x0Did-aes256-GCMApple", 19);
  memcpy(derived + 55, key->merchant_id_hash, 32);
  SHA256(derived, sizeof derived, symmetric);
  unsigned char *plaintext = frame_allocate(data.size);
  if (!open_data(plaintext, symmetric, data)) return frame_refused("the data was not encrypted with this key", NULL);
  return frame_accepted(plaintext, data.size - 16);
}

int main(void) { return frame_serve("example c", "1", (const char *[]){"EC_v1", NULL}, decrypt); }
