import Foundation
import TestSupport
import Testing
import assay

@Suite(.blocking) struct ManualTests {
  @Test func `each command has a page with each of its options`() throws {
    for definition in CommandLineProgram.definitions {
      let page = ManualPage.text(of: definition)
      for option in definition.allOptions { #expect(Self.mentions(page, option.name), "\(definition.name)") }
      let outcome = try Program.run(["man"] + definition.path)
      #expect(outcome.status == 0 && outcome.text == page)
    }
    // An option is on the page only after it is planted.
    var planted = try #require(CommandLineProgram.definitions.first)
    #expect(!Self.mentions(ManualPage.text(of: planted), "--planted"))
    planted.options.append(.flag("--planted", "an option"))
    #expect(Self.mentions(ManualPage.text(of: planted), "--planted"))
  }

  /// The manual capitalizes the first word of an explanation. A value there would be misspelled.
  @Test func `what is said of an option begins with none of its values`() {
    for definition in CommandLineProgram.definitions {
      for option in definition.allOptions {
        let first = option.explanation.prefix { !" ,;:".contains($0) }
        #expect(!option.choices.contains(String(first)), "\(definition.name) \(option.name)")
      }
    }
  }

  private static func mentions(_ page: String, _ option: String) -> Bool {
    page.contains("\\fB" + option.replacingOccurrences(of: "-", with: "\\-") + "\\fR")
  }

  @Test func `the first page lists all commands`() throws {
    let outcome = try Program.run(["man"])
    #expect(outcome.status == 0)
    for definition in CommandLineProgram.definitions {
      #expect(outcome.text.contains("\\fB\(definition.name.replacingOccurrences(of: "-", with: "\\-"))\\fR"))
    }
    for arguments in [["man", "nonsense"], ["man", "bench"], ["man", "env", "--out", "folder"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
    }
  }

  @Test(.enabled(if: InstalledProgram.find("man") != nil, "man is not installed"))
  func `man shows every page as text, without a warning`() throws {
    let folder = try TemporaryFolder()
    #expect(try Program.run(["man", "--out", folder.url.path]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names.count == CommandLineProgram.definitions.count + 1)
    let shown = try show(names.map(folder.path))
    #expect(shown.status == 0 && shown.error.isEmpty)
    for definition in CommandLineProgram.definitions {
      for option in definition.allOptions { #expect(shown.text.contains("\n       \(option.name)")) }
    }
    // A macro that does not exist causes a warning.
    let wrong = try folder.write(ManualPage.overview(of: []) + ".PLANTED\n", to: "planted.1")
    #expect(try !show([wrong]).error.isEmpty)
  }

  private func show(_ files: [String]) throws -> Program.Outcome {
    try Program.run(
      ["man", "--warnings", "-l"] + files,
      environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat", "MANOPT": ""],
      program: URL(filePath: "/usr/bin/env"))
  }
}
