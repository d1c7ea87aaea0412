import FastDecryption
import Foundation
import Testing

/// Which kernels there are, which computes what, and which an engine uses.
@Suite struct KernelChoiceTests {
  @Test func `kernels are listed with the fastest first, and emulations after portable`() {
    let names = ["ifma8", "fma4", "scalar", "portable", "ifma8-emulated", "fma4-emulated"]
    #expect(P256Kernel.allCases.map(\.rawValue) == names)
    #expect(P256Kernel.allCases.filter(\.isEmulated).map(\.rawValue) == names.suffix(2))
    #expect(P256Kernel.portable.isAvailable)
    for name in names { #expect(P256Kernel(rawValue: name)?.rawValue == name) }
    #expect(P256Kernel(rawValue: "ifma") == nil)
    #expect(P256Kernel.fastest == P256Kernel.allCases.first { $0.isAvailable && !$0.isEmulated })
  }

  @Test func `each kernel computes what it has functions for`() {
    for kernel in P256Kernel.allCases where kernel.isAvailable {
      let (name, isPortable) = (kernel.rawValue, kernel == .portable)
      #expect(kernel.agreementKernel == (isPortable || name == "scalar" ? "libcrypto" : name))
      #expect(kernel.signatureKernel == (isPortable ? "libcrypto" : name))
    }
  }

  @Test(arguments: P256Kernel.allCases.filter(\.isAvailable).map(\.rawValue) + ["no-kernel"])
  func `ASSAY_KERNEL chooses the kernel, and an unknown name is ignored`(_ name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      setenv(P256Kernel.environmentVariable, name, 1)
      #expect(P256Kernel.preferred == P256Kernel(rawValue: name) ?? .fastest)
    }
  }
}
