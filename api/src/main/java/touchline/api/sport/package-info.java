/** Sports as data, and the content of a scoreboard with the changes that each sport makes to it. */
@NullMarked
package touchline.api.sport;

import org.jspecify.annotations.NullMarked;
