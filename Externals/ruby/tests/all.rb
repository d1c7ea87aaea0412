# frozen_string_literal: true

# Runs all unit tests.

Dir[File.join(__dir__, "test_*.rb")].sort.each { |file| require file }
