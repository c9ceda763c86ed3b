package touchline.packager.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import touchline.media.SessionId;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.PackagerRig;

/** A recording of what a rig was fed with. */
public final class RigRecording {
    private RigRecording() {}

    /** Packages and records all of it; the rig's window is closed. */
    public static Recording record(PackagerRig rig, Path folder) throws IOException {
        try (Recorder recorder =
                Recorder.open(
                        new Recorder.Settings(
                                new SessionId("session-1"),
                                folder,
                                Recorder.Purpose.RECORDING,
                                /* minFreeBytes= */ 0),
                        rig.window,
                        new Recorder.Listener() {})) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
        }
        rig.window.close();
        return Recording.load(folder);
    }
}
