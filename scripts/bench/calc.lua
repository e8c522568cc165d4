-- Each request has a new query and a new address.
local number = os.time() % 1000 * 5000

function request()
  number = number + 1
  local from = string.format('10.%d.%d.%d', number / 65536 % 256, number / 256 % 256, number % 256)
  return wrk.format('GET', '/rates/calc?mp=wb&weight=1&length=20&width=10&height=5&to=koledino&units=' .. number, {
    ['X-Forwarded-For'] = from,
    ['Accept-Encoding'] = 'br',
  })
end
