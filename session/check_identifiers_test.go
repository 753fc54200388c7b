package session

import (
	"crypto/md5"
	"fmt"
)

// filesWithIdentifiers are files with values that identify by their form, under a neutral name, or if has is not
// set, values that look nearly so.
func filesWithIdentifiers(has bool) map[string]plant {
	of := func(variable string, cell func(i int) string) plant {
		return plant{header: variable + ",x", records: 200, cells: func(i int) string { return cell(i) + ",1" }}
	}
	either := func(form, other string, number func(i int) any) func(i int) string {
		return func(i int) string {
			if has {
				return fmt.Sprintf(form, number(i%40)) // shared by several records each
			}
			return fmt.Sprintf(other, i%7)
		}
	}
	return map[string]plant{
		"seen direct-identifiers": of("seen", either("https://people.example/u%d", "people.example%d",
			func(i int) any { return i })),
		"lives direct-identifiers": of("lives", either("Lindengasse %d", "Lindenhaus %d",
			func(i int) any { return 1 + i%90 })),
		"drives direct-identifiers": of("drives", either("W-%d AB", "W-%d AB", // licence plates, and a few series of them
			func(i int) any { return 10000 + 7*i })),
		"insured direct-identifiers": of("insured", either("123-45-%d", "123-45-%d", // seven kinds that are not numbers of persons
			func(i int) any { return 1000 + 7*i })),
		"digest direct-identifiers": of("digest", either("%x", "%x",
			func(i int) any { return md5.Sum([]byte{byte(i)}) })),
		"from direct-identifiers": of("from", either("10.1.2.%d", "10.1.%d",
			func(i int) any { return i })),
		"spot precise-places": of("spot", either("8FWR5Q%s2+XX", "8FWR5Q%d2",
			func(i int) any { return "23456789CFGHJMPQRVWX"[i%20:][:1] })),
		"point precise-places": of("point", either("\"48.%d, 16.3731\"", "\"48.%d, 16.3\"",
			func(i int) any { return 10000 + 7*i })),
	}
}
