import Corpus
import HostIO
import PaymentToken
import Reports
import StrictJSON

/// What a run was started with: written once, read when it is gone on with.
package struct FuzzSettings {
  let target: FuzzTarget
  let driver: FuzzPlan.Driver
  package let seed: UInt64
  /// How often the run was gone on with.
  package let sessions: Int

  /// Those of the folder where it has some, else those of the plan.
  package init(_ plan: FuzzPlan, _ folder: RunFolder) throws(CommandError) {
    guard let document = folder.document("settings.json"), case .object = document else {
      target = plan.target
      driver = plan.driver
      // Few enough digits to be typed again.
      seed = plan.seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
      sessions = 1
      return
    }
    target = document["target"]?.string.flatMap(FuzzTarget.init(rawValue:)) ?? plan.target
    driver = document["driver"]?.string.flatMap(FuzzPlan.Driver.init(rawValue:)) ?? plan.driver
    guard target == plan.target, driver == plan.driver else {
      throw CommandError(
        .noAnswer,
        "\(Text.harmless(folder.path)) is a run of --target \(target.rawValue) --driver \(driver.rawValue); "
          + "--dir names another.")
    }
    seed = plan.seed ?? document["seed"]?.integer() ?? 0
    sessions = Int(document["sessions"]?.integer(UInt64.self) ?? 0) + 1
  }

  package var document: JSON {
    [
      "schema": "assay.fuzz-settings/1", "target": target.rawValue, "driver": driver.rawValue, "seed": seed,
      "sessions": sessions, "minter_seed": VectorGenerator.seed, "minter_time": VectorGenerator.time.rfc3339,
    ]
  }
}
