package survey

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// keyVariables are the key variables of the figures in this file.
var keyVariables = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}

// The number of records in groups of fewer than 3 equals that of four surveys by another program with the same
// distributions: 51,909, 51,826, 51,496 and 51,978 of 200,000 persons; sample uniques are 32,237, 32,018, 31,784
// and 32,016.
func TestViolatorsAreThoseOfTheDistributions(t *testing.T) {
	if testing.Short() {
		t.Skip("200,000 records take long under the race detector")
	}
	groups := map[string]int{}
	var columns []int
	for _, name := range keyVariables {
		columns = append(columns, column(name))
	}
	for _, record := range records(t, 200_000, 11) {
		var key strings.Builder
		for _, at := range columns {
			key.WriteString(record[at] + ",")
		}
		groups[key.String()]++
	}
	uniques, violators := 0, 0
	for _, size := range groups {
		if size < 2 {
			uniques += size
		}
		if size < 3 {
			violators += size
		}
	}
	// The four are within 0.7 percent of their mean.
	if violators < 50_800 || violators > 52_700 {
		t.Errorf("%d violators at k = 3, want 50,800 to 52,700", violators)
	}
	if uniques < 31_300 || uniques > 32_700 {
		t.Errorf("%d uniques, want 31,300 to 32,700", uniques)
	}
}

// The bytes of a survey are fixed, to detect a machine with different arithmetic.
func TestBytesAreTheSameEverywhere(t *testing.T) {
	var text bytes.Buffer
	if err := WriteCSV(&text, 2*blockPersons+17, 1); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text.Bytes())
	const want = "9ecf3bdeadad9538a5af7bcd9a828dad8c8ed941fcc3c784c3c5542031d00e37"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("sha256 %s, want %s", got, want)
	}
}
