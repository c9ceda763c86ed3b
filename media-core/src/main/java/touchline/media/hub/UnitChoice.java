package touchline.media.hub;

import touchline.media.AccessUnit;
import touchline.media.Timeline;

/**
 * The access units that a subscription receives. Timelines and interruptions come in any case. A
 * subscription to some units never slows a publisher: when it is full, it drops.
 */
public enum UnitChoice {
    ALL,
    AUDIO,
    KEY_FRAMES;

    boolean includes(AccessUnit unit) {
        return switch (this) {
            case ALL -> true;
            case AUDIO -> !unit.track().isVideo();
            case KEY_FRAMES -> unit.isKeyFrame();
        };
    }

    /** Whether decoding starts at a key frame. */
    boolean hasVideo(Timeline timeline) {
        return this != AUDIO && timeline.video().isPresent();
    }
}
