package survey

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Places returns the names of the optional variables on places: three nested levels below the region, and the
// region and municipality of the workplace, missing for persons without one.
func Places() []string {
	return strings.Fields("district municipality ward workregion workplace")
}

// regions are in the order of the letters A to H that begin the codes of their places.
var regions = []string{"Arden", "Brisk", "Corvale", "Dunmere", "Eastmark", "Farrow", "Glenhold", "Hollow Isles"}

// place is a municipality: the index of its region, the number of its district and its number within that, both
// from 1.
type place struct{ region, district, municipality int }

// drawWithin draws one of the parts of an area, from 1; the first parts have most of the persons.
func drawWithin(random *rand.Rand, parts int) int {
	u := random.Float64()
	return 1 + int(float64(parts)*float64(u*u))
}

// districts returns the number of districts of a region: large regions have more.
func districts(region int) int { return max(2, 6-region/2) }

func (p *place) municipalities() int { return 3 + (p.region+p.district)%3 }

func (p *place) wards() int { return 4 + (p.district+p.municipality)%4 }

// drawMunicipality draws a municipality of the district.
func (p *place) drawMunicipality(random *rand.Rand) {
	p.municipality = drawWithin(random, p.municipalities())
}

// drawDistrict draws a district of the region and a municipality in it.
func (p *place) drawDistrict(random *rand.Rand) {
	p.district = drawWithin(random, districts(p.region))
	p.drawMunicipality(random)
}

func (p *place) districtCode() string { return fmt.Sprintf("%c%d", 'A'+p.region, p.district) }

func (p *place) code() string { return fmt.Sprintf("%s-%d", p.districtCode(), p.municipality) }

// drawHome draws the residence of a household of a region, and the code of its ward.
func drawHome(random *rand.Rand, region string) (home place, ward string) {
	for i, name := range regions {
		if name == region {
			home.region = i
		}
	}
	home.drawDistrict(random)
	return home, fmt.Sprintf("%s-%02d", home.code(), drawWithin(random, home.wards()))
}

// drawWork draws the workplace of a resident of home: mostly in the municipality, less often in the district or
// region, rarely elsewhere.
func drawWork(random *rand.Rand, home place) place {
	switch u := random.Float64(); {
	case u < .6:
	case u < .85:
		home.drawMunicipality(random)
	case u < .97:
		home.drawDistrict(random)
	default:
		home.region = drawWithin(random, len(regions)) - 1
		home.drawDistrict(random)
	}
	return home
}

// works reports whether an occupation has a workplace.
func works(occupation string) bool {
	switch occupation {
	case "", "not working", "student", "retired":
		return false
	}
	return true
}

// appendPlaces appends the places of a person to a line.
func appendPlaces(dst []byte, random *rand.Rand, home *place, ward, occupation string) []byte {
	dst = appendTexts(dst, home.districtCode(), home.code(), ward)
	if !works(occupation) {
		return append(dst, ",,"...)
	}
	work := drawWork(random, *home)
	return appendTexts(dst, regions[work.region], work.code())
}
