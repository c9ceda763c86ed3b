/** S3 as the home of recordings: what is stored there, comes back from there, and is deleted. */
@NullMarked
package touchline.api.home;

import org.jspecify.annotations.NullMarked;
