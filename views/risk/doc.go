// Package risk has the panes of the tab Risk beside those of Overview: the distribution of
// risks, SUDA2, diversity.
package risk
