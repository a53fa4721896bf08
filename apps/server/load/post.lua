-- Solves of theorem games, one after the other.
local questions = {
  '{"ask":"solve","game":"CN(7,3)","position":[3,5,4,2,1,6,3]}',
  '{"ask":"solve","game":"CN(5,3)","position":[40,2,33,5,1]}',
  '{"ask":"solve","game":"Nim(3)","position":[12,25,1000000]}',
  '{"ask":"solve","game":"CN(8,3)","position":[3,1,4,1,5,9,2,6]}',
  '{"ask":"solve","game":"CN(4,2)","position":[7,7,3,9]}',
  '{"ask":"solve","game":"PN(5,3)","position":[2,4,1,2,4]}',
}
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local at = 0
request = function()
  at = at % #questions + 1
  return wrk.format(nil, "/api", nil, questions[at])
end
