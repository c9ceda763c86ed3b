/** Tests of the moderation room, and fakes for others' tests. */
@NullMarked
package touchline.moderation;

import org.jspecify.annotations.NullMarked;
