# Runs a file of `assay corpus export` (Corpus/README.md, "JSON Lines") against a decryptor: ruby load.rb FILE

require "digest"
require "json"

# The header, and the vectors as hashes; binary members stay in base64 or hexadecimal.
def load_vectors(path)
  first, lines = File.binread(path).split("\n", 2)
  header = JSON.parse(first)
  unless header["schema"] == "assay.lines/1" && Digest::SHA256.hexdigest(lines) == header["sha256"]
    raise "not a file of assay.lines/1, or damaged"
  end
  [header, lines.force_encoding("UTF-8").each_line.map { |line| JSON.parse(line) }]
end

# Yours: the plaintext, or nil for a refusal. Key (PKCS #8) and roots are DER; this one refuses everything.
def decrypt(token, private_key, merchant_id, roots, at, window_seconds)
  nil
end

def decode(text) = text.unpack1("m0")

def wrong?(vector)
  plaintext = decrypt(decode(vector["request"]), decode(vector["privateKey"]), vector["merchantId"],
                      vector["roots"].map { |root| decode(root) }, vector["at"], vector["windowSeconds"])
  return plaintext != decode(vector["plaintext"]) if vector["result"] == "valid"

  vector["result"] == "invalid" && !plaintext.nil?
end

header, vectors = load_vectors(ARGV[0])
wrong = vectors.select { |vector| wrong?(vector) }
wrong.each { |vector| warn "#{vector["severity"]} #{vector["id"]}: #{vector["reason"]}" }
puts "#{header["suite"]} of corpus #{header["version"]}: #{vectors.length} vectors, #{wrong.length} wrong"
