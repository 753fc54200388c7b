package session

import "testing"

// Local recoding guarantees that each record equals k - 1 others; suppressing a cell afterwards breaks the
// guarantee.
func TestLocalRecodingPromises(t *testing.T) {
	s := openSmall(t)
	do(t, s, step("local-recoding", `{"k":3}`))
	if found := findings(t, s.Document(), ExportOptions{}, "k-anonymity"); len(found) > 0 {
		t.Errorf("kept: %+v", found)
	}
	do(t, s, step("suppress-cells", `{"variables":["region"],"records":[1]}`))
	if found := findings(t, s.Document(), ExportOptions{}, "k-anonymity"); len(found) != 1 || found[0].Count == 0 {
		t.Errorf("broken: %+v", found)
	}
}
