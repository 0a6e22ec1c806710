# What jq has, people who know jq expect, and jaq leaves out.
def IN(candidates): any(candidates == .; .);
def IN(source; candidates): any(source == candidates; .);
def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def toarray: if isarray then . else [.] end;
def leaf_paths: paths(scalars);
def trimstr($text): ltrimstr($text) | rtrimstr($text);
def ascii: [.] | implode;
def date: todate;
def cell_only($format): if . >= [] then error("\($format) takes no \(type) as a cell: use tostring or join on it") end;
def @csv:
  if isarray then . else error("@csv takes an array of cells, not \(type)") end
  | map(cell_only("@csv") | if isstring then "\"" + gsub("\""; "\"\"") + "\"" elif . == null then "" else tostring end)
  | join(",");
def @tsv:
  if isarray then . else error("@tsv takes an array of cells, not \(type)") end
  | map(cell_only("@tsv") | if . == null then "" else tostring end
      | gsub("\\\\"; "\\\\") | gsub("\t"; "\\t") | gsub("\n"; "\\n") | gsub("\r"; "\\r"))
  | join("\t");
