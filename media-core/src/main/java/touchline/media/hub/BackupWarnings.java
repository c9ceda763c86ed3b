package touchline.media.hub;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.media.Track;

/**
 * Compares the media of both publishers, and warns of what spoils a switch. Guarded by its session.
 */
final class BackupWarnings {
    /** Clocks that differ by more leave the range of the comparison within hours. */
    private static final double MAX_DRIFT_PPM = 300;

    private final IngestMonitor monitor;
    private final Map<PublishSource, List<Track>> tracks = new EnumMap<>(PublishSource.class);

    BackupWarnings(IngestMonitor monitor) {
        this.monitor = monitor;
    }

    /** Another publisher of this source sends. */
    void restart(PublishSource source) {
        tracks.remove(source);
    }

    /** What a publisher sends from now on. */
    void tracks(PublishSource source, List<Track> next) {
        tracks.put(source, List.copyOf(next));
        List<Track> primary = tracks.get(PublishSource.PRIMARY);
        List<Track> backup = tracks.get(PublishSource.BACKUP);
        if (primary == null || backup == null) {
            return;
        }
        List<String> differences = SourceComparison.differences(primary, backup);
        if (!differences.isEmpty()) {
            monitor.ofBackup(IngestReport.BACKUP_DIFFERS, SourceComparison.warning(differences));
        }
    }

    /** The newest measurement of the lag. */
    void drift(Optional<SourceAlignment.Lag> newest) {
        double ppm = newest.map(SourceAlignment.Lag::driftPpm).orElse(0.0);
        if (Math.abs(ppm) > MAX_DRIFT_PPM) {
            monitor.ofBackup(IngestReport.BACKUP_DRIFT, SourceComparison.driftWarning(ppm));
        }
    }
}
