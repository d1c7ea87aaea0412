import RedisReplayStore
import Testing

struct AddressTests {
  @Test func `addresses have a host, a port and a database`() throws {
    #expect(try RedisServer("redis://localhost") == RedisServer("redis://localhost:6379/0"))
    #expect(try RedisServer("redis://[::1]:6380/3").database == 3)
    #expect(try RedisServer("rediss://shop@redis.example.com/1").user == "shop")
    #expect(try RedisServer("unix:/run/redis.sock") == RedisServer("unix:///run/redis.sock"))
  }

  @Test func `what is no address is refused`() {
    let texts = [
      "", "localhost", "http://localhost", "redis://", "redis://:6379", "redis://a:0", "redis://a:65536", "redis://a:b",
      "redis://a/x", "redis://a/1/2", "redis://a/70000", "redis://::1", "redis://[::1", "redis://[::1]x", "redis://@a",
      "redis://a?b=c", "redis://a%20", "unix:redis.sock", "unix:/" + String(repeating: "a", count: 100),
    ]
    for text in texts {
      #expect(throws: RedisReplayStore.ConfigurationError.self, "\(text)") { try RedisServer(text) }
    }
  }

  @Test func `a password in an address is refused with the advice to use a file, and is not repeated`() {
    for text in ["redis://:secret@a", "redis://user:secret@a:1/2", "rediss://u:se/cr?et@a", "redis://a:s@cret@b"] {
      do {
        _ = try RedisServer(text)
        Issue.record("\(text) is taken")
      } catch {
        #expect(error.message.contains("file"))
        #expect(!error.message.contains("cret"))
      }
    }
  }

  @Test func `numbers and files that cannot be used are refused`() throws {
    let changes: [(inout RedisReplayStore.Configuration) -> Void] = [
      { $0.capacity = 0 }, { $0.acknowledgingReplicas = -1 }, { $0.timeLimit = .zero }, { $0.keyFile = "/dev/null" },
      { $0.replyTimeLimit = .milliseconds(500) }, { $0.maximumBackoff = .milliseconds(1) },
      { $0.prefix = String(repeating: "a", count: 257) }, { $0.authorityFile = "/dev/null" }, { $0.user = "shop" },
      { $0.longestWindow = .max },
    ]
    for (index, change) in changes.enumerated() {
      var configuration = RedisReplayStore.Configuration(server: try RedisServer("rediss://127.0.0.1:1"))
      change(&configuration)
      #expect(throws: RedisReplayStore.ConfigurationError.self, "\(index)") { try RedisReplayStore(configuration) }
    }
  }
}
