/// A diagnosis and what it is about.
struct Verdict: Hashable {
  let diagnosis: Diagnosis
  let subject: String?

  init(_ diagnosis: Diagnosis, _ subject: String? = nil) {
    self.diagnosis = diagnosis
    self.subject = subject
  }
}
