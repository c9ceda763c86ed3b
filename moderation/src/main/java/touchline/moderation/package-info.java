/** Sampled frames, detections and the policy that judges them. */
@NullMarked
package touchline.moderation;

import org.jspecify.annotations.NullMarked;
