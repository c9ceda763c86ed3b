package touchline.media.hub;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * The newest media of a publisher that is not shown, with its own timestamps: from a key frame on
 * (without video, from any unit on), at most {@value #MAX_US} microseconds and {@value #MAX_BYTES}
 * bytes. What is older goes GOP by GOP. A GOP that is larger than that is dropped, up to the next
 * key frame. Its publisher's event loop.
 */
final class HeldMedia {
    static final long MAX_US = 15_000_000;
    static final long MAX_BYTES = 64L << 20;

    private final ArrayDeque<AccessUnit> units = new ArrayDeque<>();
    private List<Track> tracks = List.of();
    private boolean hasVideo;
    private long bytes;

    /** The tracks of what follows; other tracks make what is held useless. */
    void begin(List<Track> next) {
        if (!next.equals(tracks)) {
            clear();
            tracks = List.copyOf(next);
            hasVideo = tracks.stream().anyMatch(Track::isVideo);
        }
    }

    void add(AccessUnit unit) {
        if (!tracks.contains(unit.track())) {
            return;
        }
        AccessUnit newest = units.peekLast();
        if (newest != null && Math.abs(unit.dtsUs() - newest.dtsUs()) > MAX_US) {
            // The publisher stamps from another clock.
            clear();
        }
        if (units.isEmpty() && !isEntry(unit)) {
            return;
        }
        units.add(unit);
        bytes += unit.payload().byteSize();
        while (!units.isEmpty() && isTooMuch(unit)) {
            removeFirstGop();
        }
    }

    /** A unit that is shown: only its GOP is kept, for the case that it is not shown any more. */
    void addShown(AccessUnit unit) {
        if (isEntry(unit)) {
            clear();
        }
        add(unit);
    }

    /** Drops what lies before the newest key frame. */
    void keepNewestGop() {
        int newest = -1;
        int number = 0;
        for (AccessUnit unit : units) {
            newest = isEntry(unit) ? number : newest;
            number++;
        }
        for (; newest > 0; newest--) {
            bytes -= units.removeFirst().payload().byteSize();
        }
    }

    /** Whether a timeline can begin with the unit. */
    boolean isEntry(AccessUnit unit) {
        return unit.isKeyFrame() || !hasVideo;
    }

    private boolean isTooMuch(AccessUnit newest) {
        return bytes > MAX_BYTES || newest.dtsUs() - units.getFirst().dtsUs() > MAX_US;
    }

    private void removeFirstGop() {
        do {
            bytes -= units.removeFirst().payload().byteSize();
        } while (!units.isEmpty() && !isEntry(units.getFirst()));
    }

    void clear() {
        units.clear();
        bytes = 0;
    }

    /** Whether audio has arrived up to a time of the publisher, or none is expected. */
    boolean hasAudioUpTo(long us) {
        if (tracks.stream().allMatch(Track::isVideo)) {
            return true;
        }
        for (Iterator<AccessUnit> newest = units.descendingIterator(); newest.hasNext(); ) {
            AccessUnit unit = newest.next();
            if (!unit.track().isVideo()) {
                return unit.dtsUs() >= us;
            }
        }
        return false;
    }

    boolean hasVideo() {
        return hasVideo;
    }

    /** In the order of arrival, beginning with a key frame. */
    List<AccessUnit> units() {
        return List.copyOf(units);
    }

    boolean isEmpty() {
        return units.isEmpty();
    }

    long bytes() {
        return bytes;
    }
}
