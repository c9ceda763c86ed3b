package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RunningJobsTest {
    private final RunningJobs running = new RunningJobs();

    /** A stored result frees the job before the library's call returns: another place takes it. */
    @Test
    void the_next_run_of_a_job_can_be_canceled_when_the_one_before_is_finished_late() {
        RunningJobs.Run first = running.open("job");
        assertEquals(
                new RunningJobs.Ended.Returned(JobOutcome.DONE),
                first.perform(_ -> JobOutcome.DONE));
        RunningJobs.Ended second =
                running.open("job")
                        .perform(
                                ending -> {
                                    assertFalse(first.finish());
                                    assertTrue(running.cancel("job"));
                                    assertTrue(ending.getAsBoolean());
                                    return JobOutcome.DONE;
                                });
        assertEquals(new RunningJobs.Ended.Canceled(), second);
    }

    @Test
    void a_cancellation_between_the_end_of_a_run_and_its_result_is_known_to_the_run() {
        RunningJobs.Run run = running.open("job");
        RunningJobs.Ended _ = run.perform(_ -> JobOutcome.DONE);
        assertTrue(running.cancel("job"));
        assertTrue(run.finish());
        assertFalse(running.cancel("job"));
    }
}
