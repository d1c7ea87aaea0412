# frozen_string_literal: true

# Decrypts tokens that it reads from standard input, by Docs/LineProtocol.md.

require_relative "decryptor/protocol"

begin
  Decryptor::Session.new.serve($stdin, $stdout)
rescue SystemCallError, IOError => error
  warn "assay-external: #{error.class}"
  exit 2
end
