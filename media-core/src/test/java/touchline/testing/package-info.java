/** What tests of several modules share: time that is set, media that is made, dumps as text. */
@NullMarked
package touchline.testing;

import org.jspecify.annotations.NullMarked;
