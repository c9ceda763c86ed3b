package touchline.api.app;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import touchline.api.jobs.ProbeHandler;
import touchline.api.jobs.RecodeHandler;
import touchline.api.jobs.ScaleHandler;
import touchline.api.jobs.WarmUpHandler;
import touchline.api.programme.ImageHandler;
import touchline.api.vod.TranscodeHandler;
import touchline.media.decoding.DecodeHandler;
import touchline.media.worker.Worker;

/** {@code worker}: the child process that opens untrusted files; started by the server. */
@Command(
        name = "worker",
        description = "The child process of transcoding; started by the server, never by hand.",
        hidden = true)
final class WorkerCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        Worker.serve(
                Map.of(
                        DecodeHandler.KIND,
                        new DecodeHandler(),
                        ImageHandler.KIND,
                        new ImageHandler(),
                        ProbeHandler.KIND,
                        new ProbeHandler(),
                        RecodeHandler.KIND,
                        new RecodeHandler(),
                        ScaleHandler.KIND,
                        new ScaleHandler(),
                        TranscodeHandler.KIND,
                        new TranscodeHandler(),
                        WarmUpHandler.KIND,
                        new WarmUpHandler()));
        return 0;
    }
}
