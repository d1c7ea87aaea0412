import Foundation
import TestSupport
import Testing

/// The kernel's constants are those that their script derives from the curve's parameters.
@Suite(.blocking) struct ConstantsTests {
  private static let package = Package.folder

  private static let python = InstalledProgram.find("python3")

  @Test(.enabled(if: python != nil)) func `the constants are those that the script derives`() throws {
    let script = Process()
    script.executableURL = URL(filePath: try #require(Self.python))
    script.arguments = [Self.package.appending(path: "Scripts/p256-constants").path]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let printed = try #require(try output.fileHandleForReading.readToEnd())
    script.blockUntilExit()
    #expect(script.terminationStatus == 0)
    #expect(try printed == Data(contentsOf: Self.package.appending(path: "Sources/Kernels/CP256/constants.h")))
  }
}
