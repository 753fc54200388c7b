package survey

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
)

// Variables of places follow the unchanged other variables, places are nested, household members share one, and
// most persons work near their home.
func TestPlaces(t *testing.T) {
	const persons = 30_000
	var text, without bytes.Buffer
	if err := WriteWithPlaces(&text, persons, 3); err != nil {
		t.Fatal(err)
	}
	if err := WriteCSV(&without, persons, 3); err != nil {
		t.Fatal(err)
	}
	made, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := csv.NewReader(&without).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(made[0], append(Columns(), Places()...)) {
		t.Fatalf("the header is %v", made[0])
	}
	levels := [4]map[string]bool{{}, {}, {}, {}}
	near, working := 0, 0
	first := len(Columns())
	for i, record := range made[1:] {
		places := record[first:]
		if !slices.Equal(record[:first], plain[i+1]) {
			t.Fatalf("record %d differs from that without places", i+1)
		}
		if region := record[column("region")]; places[0][0] != region[0] || !strings.HasPrefix(places[1], places[0]+"-") ||
			!strings.HasPrefix(places[2], places[1]+"-") {
			t.Fatalf("record %d lives in %s, %v", i+1, region, places)
		}
		if before := made[i]; i > 0 && before[0] == record[0] && !slices.Equal(before[first:first+3], places[:3]) {
			t.Fatalf("household %s lives in %v and %v", record[0], before[first:], places)
		}
		if (places[4] != "") != works(record[column("occup")]) || (places[3] != "") != (places[4] != "") ||
			places[4] != "" && places[3][0] != places[4][0] {
			t.Fatalf("record %d works as %q in %v", i+1, record[column("occup")], places)
		}
		if places[4] != "" {
			working++
			if places[4] == places[1] {
				near++
			}
		}
		for level, name := range []string{record[column("region")], places[0], places[1], places[2]} {
			levels[level][name] = true
		}
	}
	if share := float64(near) / float64(working); share < .6 || share > .8 {
		t.Errorf("%.2f of those who work do so where they live", share)
	}
	for level := range 3 {
		if len(levels[level+1]) < 3*len(levels[level]) {
			t.Errorf("level %d has %d places, the one above %d", level+1, len(levels[level+1]), len(levels[level]))
		}
	}
}
