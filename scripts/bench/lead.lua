-- Each request is a new form from a new address.
local run = os.time()
local number = 0
local form = 'preset=request&name=Anna&consent=yes&page=/rates&message=How+much+are+12+boxes+to+Kazan%%3F'
  .. '&phone=8+916+%07d&key=bench-%d-%d'

function request()
  number = number + 1
  local body = string.format(form, 1000000 + (run * 5000 + number) % 9000000, run, number)
  return wrk.format('POST', '/contact', {
    ['Content-Type'] = 'application/x-www-form-urlencoded',
    ['Sec-Fetch-Site'] = 'same-origin',
    ['User-Agent'] = 'Mozilla/5.0 (Linux; Android 10) Chrome/120.0 Mobile',
    ['X-Forwarded-For'] = string.format('10.%d.%d.%d', number / 65536 % 256, number / 256 % 256, number % 256),
  }, body)
end
