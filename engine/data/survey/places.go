package survey

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Places returns the names of the variables of places that follow the others where they
// are asked for: three levels below the region, each within the one before, and where a
// person works, a region and a municipality in it, missing of those who do not.
func Places() []string {
	return strings.Fields("district municipality ward workregion workplace")
}

// regions are those of the country, by the letter that the codes of their places begin with.
var regions = []string{"Arden", "Brisk", "Corvale", "Dunmere", "Eastmark", "Farrow", "Glenhold", "Hollow Isles"}

// place is a municipality: the place of its region, and the numbers of its district and its
// own within it, from 1.
type place struct{ region, district, municipality int }

// drawWithin draws one of so many parts of an area: the first have most of the persons.
func drawWithin(random *rand.Rand, parts int) int {
	u := random.Float64()
	return 1 + int(float64(parts)*float64(u*u))
}

// districts and the others are how many parts an area has: large regions have more.
func districts(region int) int { return max(2, 6-region/2) }

func (p *place) municipalities() int { return 3 + (p.region+p.district)%3 }

func (p *place) wards() int { return 4 + (p.district+p.municipality)%4 }

// drawMunicipality draws the municipality of a district.
func (p *place) drawMunicipality(random *rand.Rand) {
	p.municipality = drawWithin(random, p.municipalities())
}

// drawDistrict draws the district of a region and the municipality in it.
func (p *place) drawDistrict(random *rand.Rand) {
	p.district = drawWithin(random, districts(p.region))
	p.drawMunicipality(random)
}

func (p *place) districtCode() string { return fmt.Sprintf("%c%d", 'A'+p.region, p.district) }

func (p *place) code() string { return fmt.Sprintf("%s-%d", p.districtCode(), p.municipality) }

// drawHome draws where a household of a region lives, and the code of its ward.
func drawHome(random *rand.Rand, region string) (home place, ward string) {
	for i, name := range regions {
		if name == region {
			home.region = i
		}
	}
	home.drawDistrict(random)
	return home, fmt.Sprintf("%s-%02d", home.code(), drawWithin(random, home.wards()))
}

// drawWork draws where somebody works who lives at a place: most in their municipality,
// others in their district, in their region, and few anywhere.
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

// works reports whether somebody of an occupation has a place of work.
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
