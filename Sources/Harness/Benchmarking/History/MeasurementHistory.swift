import HostIO
import Reports
import StrictJSON

/// A folder of saved measurements of successive commits, by machine and benchmark.
///
/// The files are ordered by name, because a measurement has no date. Each time is divided by that of the anchors in the
/// same round, as in `BenchmarkReport.compared`, so that a machine that became slower as a whole shows no step.
package struct MeasurementHistory {
  /// The measurements of one commit.
  package struct Point {
    /// The commit, or the file's path below the folder if the measurement names none.
    package let commit: String
    /// The logarithm of the time in units of the anchors, for each measurement.
    fileprivate var logarithms: [Double]

    fileprivate var value: Double { OrderStatistics.median(logarithms) }
  }

  /// The course of one benchmark on one machine.
  package struct Series {
    package let name: String
    package fileprivate(set) var points: [Point] = []
    package fileprivate(set) var steps: [ChangePoints.Step] = []
    /// The median time of the anchors on the machine, in nanoseconds.
    fileprivate var unit = 1.0

    /// The median time of each point in nanoseconds, as if the machine had always had the same speed.
    package var times: [Double] { points.map { exp($0.value) * unit } }

    /// The first index of each level, and the end.
    package var bounds: [Int] { [0] + steps.map(\.index) + [points.count] }

    /// The median time of each level.
    package var levels: [Double] {
      let times = times
      return zip(bounds, bounds.dropFirst()).map { OrderStatistics.median(Array(times[$0..<$1])) }
    }

    /// The last commit before a step, and the first one after it.
    package func range(of step: ChangePoints.Step) -> (before: String, after: String) {
      (points[step.index - 1].commit, points[step.index].commit)
    }
  }

  /// What was measured on machines whose times are comparable.
  package struct Machine {
    /// The members of the environment that make times comparable.
    package let environment: [JSON.Member]
    package fileprivate(set) var series: [Series] = []
    fileprivate var places: [String: Int] = [:]
    fileprivate var units: [Double] = []
  }

  package private(set) var machines: [Machine] = []
  /// The number of files with measurements.
  package private(set) var count = 0
  /// Why files were left out, one sentence each: they are no measurement, or lack the anchors.
  package private(set) var skipped: [String] = []

  /// The maximum number of points of a series: earlier ones are dropped, as the search for steps is quadratic in it.
  private static let most = 500

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - anchors: the benchmarks whose times are the unit.
  ///   - each: called with each measurement.
  /// - Throws: `CommandError` if the folder cannot be read.
  package init(folder: String, anchors: [String], each: (BenchmarkReport) -> Void = { _ in }) throws(CommandError) {
    var machines: [[String?]: Machine] = [:]
    var order: [[String?]] = []
    for path in try FolderWalk.entries(below: folder) where path.hasSuffix(".json") {
      do throws(CommandError) {
        let saved = try BenchmarkReport(file: path)
        let unit: [Double]
        do throws(BenchmarkFailure) { unit = try saved.unit(anchors) } catch {
          throw CommandError(.noAnswer, "\(Text.harmless(path)): \(error.reason).")
        }
        let key = saved.machine
        if machines[key] == nil { order.append(key) }
        let commit = saved.environmentText("commit") ?? String(path.dropFirst(folder.count + 1))
        machines[key, default: Machine(environment: saved.decisiveMembers)].add(saved, commit) {
          anchors.contains($0.name) ? [] : $0.logarithms(in: unit)
        }
        machines[key]?.units.append(OrderStatistics.median(unit))
        count += 1
        each(saved)
      } catch {
        skipped.append(error.message)
      }
    }
    self.machines = order.compactMap { machines[$0] }
    findSteps()
  }

  private mutating func findSteps() {
    let long = machines.reduce(0) { $0 + $1.series.count { $0.points.count >= 2 * ChangePoints.least } }
    for machine in machines.indices {
      let unit = OrderStatistics.median(machines[machine].units)
      for index in machines[machine].series.indices {
        let points = Array(machines[machine].series[index].points.suffix(Self.most))
        machines[machine].series[index].points = points
        machines[machine].series[index].unit = unit
        machines[machine].series[index].steps = ChangePoints.steps(in: points.map(\.value), series: max(1, long))
      }
    }
  }

  /// Every step, the largest slowdown first.
  package var steps: [(machine: Machine, series: Series, step: ChangePoints.Step)] {
    machines.flatMap { machine in machine.series.flatMap { series in series.steps.map { (machine, series, $0) } } }
      .sorted { $0.step.change > $1.step.change }
  }
}

extension MeasurementHistory.Machine {
  /// Adds the results of a file. Successive measurements of one commit are one point.
  fileprivate mutating func add(
    _ report: BenchmarkReport, _ commit: String, relative: (BenchmarkResult) -> [Double]
  ) {
    for result in report.results {
      let logarithms = relative(result)
      guard !logarithms.isEmpty else { continue }
      let value = OrderStatistics.median(logarithms)
      let place = places[result.name] ?? series.count
      if place == series.count {
        places[result.name] = place
        series.append(.init(name: result.name))
      }
      if let last = series[place].points.indices.last, series[place].points[last].commit == commit {
        series[place].points[last].logarithms.append(value)
      } else {
        series[place].points.append(.init(commit: commit, logarithms: [value]))
      }
    }
  }
}
