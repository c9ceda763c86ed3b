package touchline.packager.conformance;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.packager.conformance.HlsPlaylist.Part;

/**
 * One client of one media playlist: is given every version that it reads, in order, and judges each
 * by itself and beside the one before. A session has as many as there are ways to read it. One
 * thread.
 */
public final class ConformanceChecker {
    private final Report report = new Report();
    private @Nullable HlsPlaylist latest;
    private int playlists;
    private int deltas;
    private int hints;
    private int wrongHints;

    /** Reads a whole playlist; empty when it is none. */
    public Optional<HlsPlaylist> whole(String text) {
        Optional<HlsPlaylist> read = PlaylistParser.read(text, report);
        read.ifPresent(
                playlist -> {
                    if (playlist.isDelta()) {
                        report.add(
                                Rule.SYNTAX, "EXT-X-SKIP", "a delta update that was not requested");
                    } else {
                        accept(playlist);
                    }
                });
        return read;
    }

    /**
     * Reads what came for {@code _HLS_skip=YES}, a whole playlist included, and makes it whole with
     * the one before.
     */
    public Optional<HlsPlaylist> delta(String text) {
        HlsPlaylist before = latest;
        Optional<HlsPlaylist> read = PlaylistParser.read(text, report);
        if (read.isEmpty()) {
            return read;
        }
        HlsPlaylist update = read.get();
        if (!update.isDelta()) {
            accept(update);
            return read;
        }
        if (before == null) {
            report.add(Rule.SKIP_BOUNDARY, "EXT-X-SKIP", "the client has no playlist yet");
            return Optional.empty();
        }
        deltas++;
        Optional<HlsPlaylist> made = DeltaUpdate.apply(before, update, report);
        made.ifPresent(this::accept);
        return made;
    }

    /** Like {@link #delta(String)}, beside the whole playlist of the same moment. */
    public void delta(String text, String wholeText) {
        Optional<HlsPlaylist> whole = PlaylistParser.read(wholeText, report);
        Optional<HlsPlaylist> made = delta(text);
        if (whole.isPresent() && made.isPresent()) {
            DeltaUpdate.compare(made.get(), whole.get(), report);
        }
    }

    /** The newest playlist, made whole. */
    public Optional<HlsPlaylist> latest() {
        return Optional.ofNullable(latest);
    }

    public List<Finding> findings() {
        return report.findings();
    }

    /** Playlists read. */
    public int playlists() {
        return playlists;
    }

    /** Those of them that skipped segments. */
    public int deltas() {
        return deltas;
    }

    /** Preload hints whose outcome is known. */
    public int hints() {
        return hints;
    }

    /** Hints that another part came for: allowed, but each costs its client a request. */
    public int wrongHints() {
        return wrongHints;
    }

    private void accept(HlsPlaylist playlist) {
        playlists++;
        PlaylistRules.check(playlist, report);
        HlsPlaylist before = latest;
        if (before != null) {
            SequenceRules.check(before, playlist, report);
            countHint(before, playlist);
        }
        latest = playlist;
    }

    private void countHint(HlsPlaylist before, HlsPlaylist now) {
        if (before.hint().isEmpty() || before.hint().equals(now.hint())) {
            return;
        }
        String hint = before.hint().get();
        boolean came = now.parts().stream().map(Part::uri).anyMatch(hint::equals);
        if (came || !now.ended()) {
            hints++;
            wrongHints += came ? 0 : 1;
        }
    }
}
