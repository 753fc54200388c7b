package survey

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// records returns the records of a survey, without the header.
func records(t *testing.T, persons int, seed uint64) [][]string {
	t.Helper()
	key := [2]uint64{uint64(persons), seed}
	if made[key] == nil {
		made[key] = generate(t, persons, seed)
	}
	return made[key]
}

// made caches the surveys that tests share, by number of persons and seed.
var made = map[[2]uint64][][]string{}

func generate(t *testing.T, persons int, seed uint64) [][]string {
	t.Helper()
	var text bytes.Buffer
	if err := WriteCSV(&text, persons, seed); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all[0], Columns()) {
		t.Fatalf("header %v", all[0])
	}
	return all[1:]
}

func column(name string) int { return slices.Index(Columns(), name) }

// The shares of all categories, including missing (""), equal those of another program's survey of 200,000 persons
// with the same distributions.
func TestSharesOfCategories(t *testing.T) {
	text, err := os.ReadFile("testdata/shares.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]float64
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	const persons = 200_000
	made := records(t, persons, 11)
	for name, shares := range want {
		counts, at := map[string]int{}, column(name)
		for _, record := range made {
			counts[record[at]]++
		}
		for value, share := range shares {
			got := float64(counts[value]) / persons
			// Records within households are similar: four standard errors with a design effect of ten.
			if tolerance := 4 * math.Sqrt(10*share*(1-share)/persons); math.Abs(got-share) > tolerance+1e-4 {
				t.Errorf("%s %q: share %.4f, want %.4f ± %.4f", name, value, got, share, tolerance)
			}
		}
		if name == "income" {
			continue // only its missing share is compared
		}
		for value := range counts {
			if _, known := shares[value]; !known {
				t.Errorf("%s has %q, which no survey has", name, value)
			}
		}
	}
}

func TestDistinctKeysOfAMillion(t *testing.T) {
	longtests.Needed(t)
	var text bytes.Buffer
	if err := WriteCSV(&text, 1_000_000, 7); err != nil {
		t.Fatal(err)
	}
	keys := map[string]struct{}{}
	header := true
	for line := range strings.Lines(text.String()) {
		if header {
			header = false
			continue
		}
		f := strings.Split(line, ",")
		keys[strings.Join([]string{f[2], f[3], f[10], f[11], f[12], f[13], f[15]}, ",")] = struct{}{}
	}
	if n := len(keys); n < 120_000 || n > 135_000 {
		t.Errorf("%d distinct keys on region urbrur sex age marital educ ethnic, want 120,000 to 135,000", n)
	}
}

func TestHouseholdsShareTheirDwelling(t *testing.T) {
	shared := []string{"region", "urbrur", "hsize", "roof", "walls", "water", "electcon", "relig", "expend", "savings",
		"weight"}
	var before []string
	members := 0
	for i, record := range records(t, 3*blockPersons/2, 5) {
		if before != nil && record[0] == before[0] {
			members++
			for _, name := range shared {
				if record[column(name)] != before[column(name)] {
					t.Fatalf("record %d: %s differs within household %s", i+1, name, record[0])
				}
			}
		} else {
			members = 1
		}
		if record[1] != itoa(members) {
			t.Fatalf("record %d: person number %s, want %d", i+1, record[1], members)
		}
		before = record
	}
}

func itoa(n int) string { return string(appendCount(nil, n)[1:]) }

func TestSameSeedSameBytes(t *testing.T) {
	survey := func(processors int, seed uint64) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		var text bytes.Buffer
		if err := WriteCSV(&text, 2*blockPersons+17, seed); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	one := survey(1, 9)
	if !bytes.Equal(one, survey(4, 9)) {
		t.Error("the survey depends on the number of processors")
	}
	if bytes.Equal(one, survey(1, 10)) {
		t.Error("two seeds give the same survey")
	}
}

func TestNumberOfPersons(t *testing.T) {
	for _, persons := range []int{0, 1, 2, 999, blockPersons, blockPersons + 1} {
		if got := len(records(t, persons, 1)); got != persons {
			t.Errorf("%d records, want %d", got, persons)
		}
	}
	if err := WriteCSV(io.Discard, -1, 1); err == nil {
		t.Error("a survey of -1 persons was made")
	}
}

// An error of the writer ends WriteCSV.
func TestFullDisk(t *testing.T) {
	if err := WriteCSV(&fullDisk{room: 10_000}, 3*blockPersons, 1); err == nil {
		t.Error("no error from a writer that is full")
	}
}

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func BenchmarkWriteCSV(b *testing.B) {
	for b.Loop() {
		if err := WriteCSV(io.Discard, 100_000, 1); err != nil {
			b.Fatal(err)
		}
	}
}
