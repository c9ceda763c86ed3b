package touchline.packager.record;

import java.nio.file.Path;
import java.util.Optional;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.RenditionStorage;

/**
 * Stores the older segments of live renditions on disk, in a folder of its own for each run of a
 * rendition, deleted when its window is closed. Immutable, any thread.
 *
 * @param folder holds these folders; their names start with the session
 * @param least storing stops when the disk has less free: segments then stay in memory
 */
public record RenditionSpool(Path folder, DiskSpace.Least least) implements RenditionStorage {
    @Override
    public Optional<Stored> open(String name, LiveWindow window) {
        LiveWindow.Settings of = window.settings();
        Path own = folder.resolve(of.session() + "-" + name + "." + of.firstMediaSequence());
        Recorder recorder =
                Recorder.open(
                        new Recorder.Settings(of.session(), own, Recorder.Purpose.SPOOL, least),
                        window,
                        new Recorder.Listener() {});
        return Optional.of(new Stored(recorder, recorder::close));
    }
}
