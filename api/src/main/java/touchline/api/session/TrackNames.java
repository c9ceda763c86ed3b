package touchline.api.session;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.media.hub.FurtherTrack;
import touchline.media.hub.FurtherTracks;
import touchline.media.hub.TrackLabel;
import touchline.media.hub.TrackNumber;
import touchline.packager.isobmff.VideoFormat;

/**
 * What viewers choose tracks by. Immutable, any thread.
 *
 * @param tracks have the labels of the metadata
 */
record TrackNames(FurtherTracks tracks) {
    /**
     * The label of an audio track, with a name that no other has.
     *
     * @param used names so far; gets this one
     */
    TrackLabel shown(TrackNumber number, List<String> used) {
        TrackLabel said = tracks.label(number);
        String name = said.name();
        if (name.isEmpty() && !said.language().isEmpty()) {
            name = Locale.forLanguageTag(said.language()).getDisplayName(Locale.ENGLISH);
        }
        if (name.isEmpty()) {
            name = number.number() == 0 ? "Main" : "Audio " + (number.number() + 1);
        }
        while (used.contains(name)) {
            name += " " + (number.number() + 1);
        }
        used.add(name);
        return new TrackLabel(said.language(), name);
    }

    /** The shorter side of a video track's frames; 0 if unknown. */
    static int side(FurtherTrack track) {
        return format(track).map(each -> Math.min(each.width(), each.height())).orElse(0);
    }

    static Optional<VideoFormat> format(FurtherTrack track) {
        return VideoFormat.of(track.track().codec());
    }
}
