-- What wrk sends: the requests in the files named behind "--", in turn; or TOKENS of them as the lines of each.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(files)
  requests, sent = {}, 0
  local type, bodies = "application/json", {}
  for _, name in ipairs(files) do
    local file = assert(io.open(name, "rb"))
    table.insert(bodies, file:read("*a"))
    file:close()
  end
  local count = tonumber(os.getenv("TOKENS") or "0")
  if count > 0 then
    local lines = {}
    for number = 1, count do table.insert(lines, bodies[number % #bodies + 1] .. "\n") end
    type, bodies = "application/x-ndjson", { table.concat(lines) }
  end
  for _, body in ipairs(bodies) do
    table.insert(requests, wrk.format("POST", nil, { ["Content-Type"] = type }, body))
  end
end

function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end

function done(summary, latency)
  local sent = 0
  for _, thread in ipairs(threads) do sent = sent + thread:get("sent") end
  local errors = summary.errors
  io.write(string.format(
    "result %.0f %d %d %d %d %d %d %d %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50),
    latency:percentile(90), latency:percentile(99), latency.max, summary.requests, sent, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
